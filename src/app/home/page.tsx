import type { Metadata } from 'next'
import { page } from 'plinth/guard/page'
import { isSignedIn } from 'plinth/guard/policy'
import { loadHomeCards } from 'plinth/modules/installed-modules'
import { PageLayout } from '@/app/page-layout'
import { config } from '@/plinth.config'
import { HomeCards } from '@/ui/home-cards'
import { EmptyState } from '@/ui/page-parts'

export const metadata: Metadata = { title: 'Home' }

/** The first page after signing in. Modules fill it with the `homeCards` of their manifest. */
export default page(
  {
    name: 'view_home',
    path: '/home',
    renderCache: true,
    authorize: isSignedIn,
    load: async ({ scope }) => ({ cards: await loadHomeCards(scope) }),
  },
  ({ scope, data: { cards } }) => (
    <PageLayout current="/home">
      <div className="page-title">
        <h1>
          Welcome, <bdi>{scope.session.user.name}</bdi>
        </h1>
      </div>
      {cards.length > 0 ? (
        <HomeCards cards={cards} />
      ) : (
        <EmptyState title={`You are signed in to ${config.name}`}>
          <p>This page shows what you can do and what happened lately, once there is something.</p>
        </EmptyState>
      )}
    </PageLayout>
  ),
)
