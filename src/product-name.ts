/** The name of the application on pages, in mail and in the API reference. */
export const productName = 'Plinth'
