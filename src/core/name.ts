/** What people know this application by: on pages, in mail and in the description of the interface. */
export const productName = 'Plinth'
