import 'server-only'
import { StartupError } from '@/core/config/env'
import type { Mail } from '@/core/mail/mail'
import type { MailByPurpose } from '@/core/mail/send-due'

type Installed = { id: string; mail?: readonly Mail[] }

/** The mail of all modules. Purposes start with the id of the module, so that no two are the same. */
export function mailOfModules(modules: readonly Installed[]): MailByPurpose {
  const found: Record<string, Mail['compose']> = {}
  for (const { id, mail = [] } of modules) {
    for (const { purpose, compose } of mail) {
      if (!purpose.startsWith(`${id}.`)) {
        throw new StartupError(
          `Module ${id}: the purpose of its mail "${purpose}" must start with "${id}.".`,
        )
      }
      if (Object.hasOwn(found, purpose)) {
        throw new StartupError(`Module ${id}: two mails have the purpose "${purpose}".`)
      }
      found[purpose] = compose
    }
  }
  return found
}
