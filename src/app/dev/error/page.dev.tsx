import { connection } from 'next/server'

/** Fails on purpose, to look at the error page. */
export default async function FailingPage() {
  await connection()
  throw new Error('This detail must not reach the reader')
}
