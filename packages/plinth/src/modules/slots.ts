import { type UnsavedText, unsavedText } from '#guard/page'
import { apiReference, type RenderReference, type TypedField, typedText } from '#http/app-markup'
import { type AccountMessages, accountMessages } from '#mail/account-messages'
import { type RecoveryMessages, recoveryMessages } from '#mail/recovery-messages'

/** The texts and markup that the engine uses and the app owns. */
export type Slots = {
  accountMessages: AccountMessages
  recoveryMessages: RecoveryMessages
  /** The page of `/api/docs`, from the OpenAPI document. */
  apiReference: RenderReference
  /** Instead of a page whose form was sent without JavaScript after the session had ended. */
  unsavedText: UnsavedText
  /** The part of an error page that shows what was typed into a form, as HTML. */
  typedText: (fields: readonly TypedField[]) => string
}

export function fillSlots(slots: Slots): void {
  accountMessages.fill(slots.accountMessages)
  recoveryMessages.fill(slots.recoveryMessages)
  apiReference.fill(slots.apiReference)
  unsavedText.fill(slots.unsavedText)
  typedText.fill(slots.typedText)
}
