import type { ReactNode } from 'react'
import type { InstalledFactors } from '#auth/accounts/change-proofs'
import type { OnRestore } from '#auth/accounts/users'
import type { InstalledProvider } from '#auth/oauth/provider'
import type { RevocationListener } from '#auth/sessions/revocation'
import type { SignInListener, SignInStep } from '#auth/sessions/steps'
import type { Env } from '#config/env'
import type { Database } from '#db/client'
import type { Policy, SignedInScope } from '#guard/policy'
import type { Route } from '#guard/route'
import type { Job } from '#jobs/job'
import type { Mail } from '#mail/mail'
import type { MethodTable } from '#recovery/methods'
import type { HomeCardContent } from '#universal/home-card'
import type { NavigationItem } from '#universal/navigation'
import type { SearchResult } from '#universal/search-results'

type ConfirmMethod = {
  /** Opened with `callbackUrl`. It proves the user, then calls `replaceSession` and goes there. */
  href: string
  label: string
  /** Whether the user has set it up. */
  isAvailable: (scope: SignedInScope) => Promise<boolean>
}

/** @public For modules whose cards are in a file of their own. */
export type HomeCard = {
  title: string
  /** Where the title leads. */
  href: string
  authorize: Policy<SignedInScope>
  /** Undefined if there is nothing to show. */
  load: (scope: SignedInScope) => Promise<HomeCardContent | undefined>
}

type Search = {
  /** The heading above its results. */
  title: string
  authorize: Policy<SignedInScope>
  /** At most five. */
  find: (scope: SignedInScope, text: string) => Promise<readonly SearchResult[]>
}

type AccountSection = NavigationItem & {
  /** Whether the menu of the account has it. Always, by default. */
  isShown?: () => boolean
}

type SignInMethod = {
  /** The token that lets the browser fill the email field of the sign-in page with more than the email. */
  autoComplete?: 'webauthn'
  /** Shown below the form of the sign-in page. */
  Option: (given: { callbackUrl: string }) => ReactNode
  /** Always, by default. */
  isShown?: () => boolean
}

type UserPage = {
  label: string
  href: (userId: string) => string
  authorize: Policy<SignedInScope>
}

/** A result of `npm run doctor`. It never contains the value of a setting, which may be secret. */
export type Finding = {
  level: 'error' | 'warning' | 'ok'
  check: string
  message: string
  /** For errors and warnings. */
  remedy?: string
}

export type DoctorFacts = {
  settings: Env
  /** The newest first. Empty if they are invalid or not created yet. */
  authSecrets: readonly string[]
  /** Undefined if it is unavailable, or if migrations are pending. To be read only. */
  database: Database | undefined
}

export type PublicPage = { path: string; updatedAt?: Date }

/**
 * The manifest of a module, exported by `src/app/(id)/module.ts`. Its package.json says what it is
 * and what it needs, and can be read without running code.
 */
export type Module = {
  id: string
  /** Shown to callers that `authorize` allows. */
  navigation?: readonly (NavigationItem & { authorize: Policy })[]
  /** For every signed-in user, whatever their role: prerendered pages show it too. */
  userMenu?: readonly NavigationItem[]
  /** Pages of the account: each shows the menu of all of them (`accountSections` in installed-modules.ts). */
  accountSections?: readonly AccountSection[]
  /** Further pages that the command palette finds, for callers that `authorize` allows. */
  pages?: readonly (NavigationItem & { authorize: Policy })[]
  /** Cards of the page that a user sees after signing in. */
  homeCards?: readonly HomeCard[]
  /** The results that the command palette finds besides pages. */
  search?: Search
  /** The pages of this module that anyone may open, for search engines. */
  sitemap?: () => Promise<readonly PublicPage[]>
  /** The user's data in this module, for the data export. A long list in it is `readAll()`. */
  personalData?: (scope: SignedInScope) => Promise<unknown>
  /** Pages where a user can confirm their identity besides `/confirm`, which links to them. */
  confirmMethods?: readonly ConfirmMethod[]
  /** Further ways to sign in, for the sign-in page. */
  signInMethods?: readonly SignInMethod[]
  /** OAuth providers whose profile takes code. All others are data in `src/plinth.config.ts`. */
  providers?: readonly InstalledProvider[]
  /** The steps that have to follow the first proof of a sign-in before a session exists. */
  signInSteps?: readonly SignInStep[]
  /** Second factors, which then prove changes such as the deletion of the account. */
  factors?: InstalledFactors
  /** Tables of sign-in methods. Recovery removes and restores their rows. */
  signInMethodTables?: readonly MethodTable[]
  /** Called at each sign-in, in its transaction. */
  onSignIn?: SignInListener
  /**
   * Called when all sessions of a user, or all but the current one, are revoked, in that transaction.
   * Ends what else this module has let a browser keep.
   */
  onRevoke?: RevocationListener
  /** Pages about one user, for admins. The page of a user links to them. */
  userPages?: readonly UserPage[]
  /** Called every ten minutes, until it returns less than `max`: the number of rows it changed. */
  sweep?: (max: number) => Promise<number>
  /**
   * Called by `npm run restore`, in its transaction. Deletes what must not come back with a backup,
   * such as a link that was used since.
   */
  onRestore?: OnRestore
  /** The checks of `npm run doctor` for this module. */
  doctor?: (facts: DoctorFacts) => Promise<readonly Finding[]>
  /** The kinds of mail that this module queues. */
  mail?: readonly Mail[]
  /** The work that this module does in the background: on a schedule, or when it is enqueued. */
  jobs?: readonly Job[]
  /** Routes below /api. */
  api?: readonly Route[]
}
