import type { Metadata } from 'next'
import { FinishOrDeadLink } from '../finish/finish-or-dead-link'
import { linkPage, type Query, tokenIn } from '../link-page'

export const metadata: Metadata = { ...linkPage, title: 'Finish your account' }

export default async function VerifyPage({ searchParams }: { searchParams: Query }) {
  return <FinishOrDeadLink way="verify_email" token={(await tokenIn(searchParams)) ?? ''} />
}
