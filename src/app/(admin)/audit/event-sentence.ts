type Details = Readonly<Record<string, unknown>>

export type DescribedEvent = {
  action: string
  outcome: string
  actorId: string | undefined
  targetId: string | undefined
  details: Details
}

/** The words after the actor: `done` after a success, `tried` after a failure or a refusal. */
type Phrase = { done: string; tried: string; uses?: readonly string[] }

/**
 * The event as a sentence with the placeholders `{actor}` and `{target}`, and the details that are
 * not in it. An unknown action is shown by its name.
 */
export function describeEvent(event: DescribedEvent): { sentence: string; details: string } {
  const { action, outcome, details } = event
  const known = Object.hasOwn(phrases, action) ? phrases[action] : undefined
  const phrase = known?.(details, event) ?? byName(action)
  const used = new Set(outcome === 'success' ? phrase.uses : [])
  const rest = Object.entries(details).filter(([name]) => !used.has(name))
  return {
    sentence: `{actor}${predicate(phrase, outcome)}`,
    details: rest.map(([name, value]) => `${name}: ${String(value)}`).join(', '),
  }
}

type Named = { name: string } | undefined

/** Without links. */
export function plainSentence(event: DescribedEvent & { actor: Named; target: Named }): string {
  const { actor, actorId, target } = event
  const names = {
    '{actor}': actor?.name ?? (actorId ? 'A deleted user' : 'Someone'),
    '{target}': target?.name ?? 'a deleted user',
  }
  const { sentence } = describeEvent(event)
  return sentence.replace(/{actor}|{target}/g, (part) => names[part as keyof typeof names])
}

function predicate({ done, tried }: Phrase, outcome: string): string {
  if (outcome === 'success') return done.startsWith(':') ? done : ` ${done}`
  return outcome === 'denied' ? ` was not allowed to ${tried}` : ` failed to ${tried}`
}

/** Actions are named by a verb and an object, such as `create_article`. */
function byName(action: string): Phrase {
  const [verb, ...object] = action.split('_')
  const name = action.replaceAll('_', ' ')
  if (!verb || object.length === 0) return { done: `: ${name}`, tried: name }
  const what = withArticle(object.join(' '))
  return { done: `${pastOf(verb)} ${what}`, tried: `${verb} ${what}` }
}

const irregular: Readonly<Record<string, string>> = { send: 'sent', set: 'set', write: 'wrote' }

function pastOf(verb: string): string {
  return irregular[verb] ?? verb.replace(/([^aeiou])y$/, '$1i').replace(/e?$/, 'ed')
}

function withArticle(object: string): string {
  if (/[^s]s$/.test(object)) return object
  return `${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}`
}

const fixed = (done: string, tried: string) => (): Phrase => ({ done, tried })

const proved = (by: string) => fixed(`proved a change with ${by}`, `prove a change with ${by}`)

const phrases: Readonly<Record<string, (details: Details, event: DescribedEvent) => Phrase>> = {
  sign_in: ({ by }, { actorId, targetId }) => ({
    done: by ? `signed in with ${methodOf(by)}` : 'signed in',
    tried: targetId && targetId !== actorId ? 'sign in as {target}' : 'sign in',
    uses: ['by'],
  }),
  start_sign_in: ({ by }) => ({
    done: `began to sign in as {target} with ${methodOf(by)}`,
    tried: 'begin to sign in as {target}',
    uses: ['by'],
  }),
  sign_up: ({ by, role }) => ({
    done: `signed up${by === 'invitation' ? ' by invitation' : ''}${role ? ` as ${role}` : ''}`,
    tried: 'sign up',
    uses: by === 'invitation' ? ['by', 'role'] : ['role'],
  }),
  sign_out: fixed('signed out', 'sign out'),
  verify_email: fixed('verified their email', 'verify their email'),
  create_admin: fixed('became an admin by command', 'become an admin by command'),
  confirm_identity: fixed('confirmed that it is them', 'confirm that it is them'),
  prove_with_password: proved('their password'),
  prove_with_provider: proved('a provider'),
  prove_with_mail_code: proved('a code by mail'),
  prove_with_app: proved('an authenticator app'),
  prove_with_passkey: proved('a passkey'),
  prove_with_recovery_code: proved('a recovery code'),
  prove_to_recover: ({ with: kind }, { targetId }) => {
    const proof = methodLabels[String(kind)] ?? 'a proof'
    const claim = `with ${proof} that ${targetId ? 'the account of {target}' : 'an account'} is theirs`
    return { done: `proved ${claim}`, tried: `prove ${claim}`, uses: ['with'] }
  },
  request_sign_up: fixed('requested a link to sign up', 'request a link to sign up'),
  request_reset_password: fixed(
    'requested a link to reset a password',
    'request a link to reset a password',
  ),
  reset_password: fixed('reset their password', 'reset a password'),
  change_password: fixed('changed their password', 'change their password'),
  send_password_link: fixed(
    'requested a link to set a password',
    'request a link to set a password',
  ),
  update_profile: fixed('changed their profile', 'change their profile'),
  delete_account: fixed('deleted their account', 'delete their account'),
  export_data: fixed('exported their data', 'export their data'),
  link_account: ({ provider }) => linked('linked', 'link', provider),
  unlink_account: ({ provider }) => linked('unlinked', 'unlink', provider),
  open_recovery: fixed(
    'froze the account of {target} with a link by mail',
    'open the recovery of an account',
  ),
  complete_recovery: fixed(
    'took back the account of {target}',
    'take back the account of {target}',
  ),
  open_user_recovery: fixed('froze the account of {target}', 'freeze the account of {target}'),
  allow_recovery: ({ email }) => ({
    done: `let ${readerOf(email)} take back the account of {target}`,
    tried: 'decide the recovery of {target}',
    uses: ['email'],
  }),
  reject_recovery: fixed('rejected the recovery of {target}', 'reject the recovery of {target}'),
  abandon_recovery: fixed(
    'did not complete the recovery of {target} in time',
    'end the recovery of {target}',
  ),
  revoke_session: fixed('revoked a session', 'revoke a session'),
  revoke_other_sessions: fixed('revoked their other sessions', 'revoke their other sessions'),
  end_other_sessions: fixed('revoked their other sessions', 'revoke their other sessions'),
  update_user_role: ({ from, role, to = role }) => ({
    done: `changed the role of {target}${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`,
    tried: 'change the role of {target}',
    uses: ['from', 'to', 'role'],
  }),
  update_user_roles: ({ count, role }) => ({
    done: `changed the role of ${usersOf(count)} to ${role}`,
    tried: 'change the role of several users',
    uses: ['count', 'role'],
  }),
  revoke_user_session: fixed('revoked a session of {target}', 'revoke a session of {target}'),
  revoke_user_sessions: fixed(
    'revoked all sessions of {target}',
    'revoke all sessions of {target}',
  ),
  revoke_sessions_of_users: ({ count }) => ({
    done: `revoked the sessions of ${usersOf(count)}`,
    tried: 'revoke the sessions of several users',
    uses: ['count'],
  }),
  delete_user: fixed('deleted the account of {target}', 'delete the account of {target}'),
  invite_user: ({ count, role }) => ({
    done: `sent ${count ? `${count} ` : ''}invitations${role ? ` as ${role}` : ''}`.replace(
      /1 invitations/,
      'an invitation',
    ),
    tried: 'send invitations',
    uses: ['count', 'role'],
  }),
  resend_invitation: fixed('sent an invitation again', 'send an invitation again'),
  cancel_invitation: fixed('canceled an invitation', 'cancel an invitation'),
  delete_old_audit_events: ({ partitions }) => ({
    done: `deleted old audit events (${partitions})`,
    tried: 'delete old audit events',
    uses: ['partitions'],
  }),
  restore_database: fixed('restored the database from a backup', 'restore the database'),
  retry_job: ({ job }) => aboutJob('ran', 'run', job, ' again'),
  retry_jobs: ({ count }) => ({
    done: `ran ${count === 1 ? 'a failed job' : `${count ?? 'all'} failed jobs`} again`,
    tried: 'run all failed jobs again',
    uses: ['count'],
  }),
  retry_mail: ({ count }) => aboutMail('sent', 'send', count, ' again'),
  delete_mail: ({ count }) => aboutMail('deleted', 'delete', count),
  delete_job: ({ job }) => aboutJob('deleted', 'delete', job),
  run_job: ({ job }) => aboutJob('ran', 'run', job),
  export_users: fixed('exported the list of users', 'export the list of users'),
  export_audit_log: fixed('exported the audit log', 'export the audit log'),
}

function aboutMail(done: string, tried: string, count: unknown, rest = ''): Phrase {
  const messages = count === 1 ? 'a failed message' : `${count ?? 'all'} failed messages`
  return {
    done: `${done} ${messages}${rest}`,
    tried: `${tried} failed mail${rest}`,
    uses: ['count'],
  }
}

function aboutJob(done: string, tried: string, job: unknown, rest = ''): Phrase {
  const what = `${job ? `the job ${job}` : 'a job'}${rest}`
  return { done: `${done} ${what}`, tried: `${tried} ${what}`, uses: ['job'] }
}

function linked(done: string, tried: string, provider: unknown): Phrase {
  const account = provider ? `a ${provider} account` : 'an account'
  return { done: `${done} ${account}`, tried: `${tried} ${account}`, uses: ['provider'] }
}

function readerOf(email: unknown): string {
  return email ? `the reader of the ${email} email` : 'the reader of an email'
}

function usersOf(count: unknown): string {
  return count === 1 ? '1 selected user' : `${count} selected users`
}

/** Kinds of sign-in methods that prove a recovery. */
const methodLabels: Readonly<Record<string, string>> = {
  password: 'a password',
  provider: 'a provider',
  app: 'an authenticator app',
  passkey: 'a passkey',
  codes: 'a recovery code',
}

function methodOf(by: unknown): string {
  return by === 'password' || by === 'link' ? `a ${by}` : String(by)
}
