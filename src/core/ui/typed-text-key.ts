/** Where the text of a form is kept in the session storage. */
export const typedTextKey = 'plinth.typed'
