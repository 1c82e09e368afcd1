import { providerName } from '#auth/oauth/configured-providers'
import type { NamedMethod } from '#db/schema'

type Described = {
  email: string
  newEmail: string
  deletes?: boolean
  added: readonly NamedMethod[]
  removed: readonly NamedMethod[]
}

/**
 * One sentence for each part of the change, the most important one first. The reader of a mailbox that
 * the owner has left must not learn the new email. Without a reader it is for admins.
 */
export function describeChange(change: Described, reader?: string): string[] {
  const { email, newEmail, deletes, added, removed } = change
  if (deletes) return ['The account was deleted.']
  const isReplaced = ({ kind }: NamedMethod) =>
    kind !== 'passkey' && kind !== 'provider' && added.some((other) => other.kind === kind)
  const shown = (named: string) =>
    reader === undefined || reader === named ? named : 'another one'
  const sentences = [
    ...(email === newEmail
      ? []
      : [`The email was changed from ${shown(email)} to ${shown(newEmail)}.`]),
    ...added.map((method) =>
      removed.some(({ kind }) => kind === method.kind && isReplaced(method))
        ? texts[method.kind]?.replaced
        : texts[method.kind]?.added(nameOf(method)),
    ),
    ...removed
      .filter((method) => !isReplaced(method))
      .map((method) => texts[method.kind]?.removed(nameOf(method))),
  ]
  const known = sentences.filter((sentence) => sentence !== undefined)
  // A change from before the history was written has no known sentence.
  return known.length > 0 ? known : ['A sign-in method was changed.']
}

/** After "keep". */
export function describeMethod(method: NamedMethod): string {
  const name = nameOf(method)
  if (method.kind === 'provider') return `the ${name} account`
  if (method.kind === 'passkey') return `the passkey “${name}”`
  return { password: 'the password', app: 'the authenticator app', codes: 'the recovery codes' }[
    method.kind
  ]
}

const nameOf = ({ kind, name }: NamedMethod) =>
  kind === 'provider' ? providerName(name ?? '') : name

type Text = {
  added: (name: string | null) => string
  removed: (name: string | null) => string
  replaced: string
}

const texts: Readonly<Record<string, Text>> = {
  password: {
    added: () => 'A password was set.',
    removed: () => 'The password was removed.',
    replaced: 'The password was changed.',
  },
  app: {
    added: () => 'An authenticator app was added.',
    removed: () => 'The authenticator app was removed.',
    replaced: 'The authenticator app was replaced.',
  },
  passkey: {
    added: (name) => `The passkey “${name}” was added.`,
    removed: (name) => `The passkey “${name}” was removed.`,
    replaced: 'A passkey was replaced.',
  },
  provider: {
    added: (name) => `A ${name} account was linked.`,
    removed: (name) => `A ${name} account was unlinked.`,
    replaced: 'A linked account was replaced.',
  },
  codes: {
    added: () => 'Recovery codes were created.',
    removed: () => 'The recovery codes were removed.',
    replaced: 'New recovery codes were created. The earlier ones no longer work.',
  },
}
