import type { Slots } from 'plinth/modules/slots'
import * as accountMessages from '@/mail/account-messages'
import * as recoveryMessages from '@/mail/recovery-messages'
import { typedFields } from '@/ui/forms/typed-fields'
import { UnsavedText } from '@/ui/forms/unsaved-text'

/** The texts and markup of this app that the engine uses. */
export const slots: Slots = {
  accountMessages,
  recoveryMessages,
  apiReference: async (document, authUrl) => {
    const { referencePage } = await import('@/app/api/reference/reference-page')
    return referencePage(document, authUrl)
  },
  unsavedText: (fields) => UnsavedText({ fields }),
  typedText: typedFields,
}
