/** Of a new password, in characters. Apart from the fields, which would take zod to the browser. */
export const passwordLength = { least: 10, most: 128 }
