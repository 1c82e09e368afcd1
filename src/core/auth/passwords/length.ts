/** In characters. A file of its own, so that browser code does not import zod. */
export const passwordLength = { min: 10, max: 128 }
