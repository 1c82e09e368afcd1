/** The preview of an unsaved text, rendered by the server. */
export type Preview = { html: string }
