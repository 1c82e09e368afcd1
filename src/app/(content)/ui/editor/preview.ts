/** What the server renders of a text that is not saved. */
export type Preview = { html: string }
