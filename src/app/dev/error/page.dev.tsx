import { connection } from 'next/server'

/** Always fails, to show the error page. */
export default async function FailingPage() {
  await connection()
  throw new Error('This detail must not reach the browser')
}
