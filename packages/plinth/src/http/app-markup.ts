import { slot } from '#config/slot'
import type { OpenApi } from '#http/open-api'

export type RenderReference = (document: OpenApi, authUrl: string) => Promise<string>

/** The page of the API reference. */
export const apiReference = slot<RenderReference>('apiReference')

/** A field of a form that was sent without JavaScript. */
export type TypedField = { name: string; text: string }

/** The part of an error page that shows what was typed, as HTML. */
export const typedText = slot<(fields: readonly TypedField[]) => string>('typedText')
