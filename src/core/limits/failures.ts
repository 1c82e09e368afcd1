import 'server-only'
import { createHash } from 'node:crypto'
import { type Allowance, consume, limiterFor } from '@/core/limits/allow'

const limit = { times: 10, seconds: 10 * 60 }

const byAddress = () => limiterFor('address', limit)
const byAccount = () => limiterFor('account', limit)

/** Of one length, whatever was typed, and no address of anybody in a table of counts. */
function accountKey(address: string, account: string): string {
  return createHash('sha256').update(`${address} ${account}`).digest('base64url')
}

type Tried<Result> = { refused: Allowance } | { refused?: never; result: Result | undefined }

/**
 * Ten failures in ten minutes for an address, and for an account from an address, by whatever way a
 * password is tried. A try is counted before it is made and given back when it succeeds, so that
 * many at once cannot slip through. Nobody can lock another out: the account alone is never
 * counted. An attempt that failed has no result; one that throws was none.
 */
export async function tryPassword<Result>(
  address: string,
  account: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Tried<Result>> {
  const allowance = await countTry(address, account)
  if (!allowance.allowed) return { refused: allowance }
  try {
    const result = await attempt()
    if (result !== undefined) await forgetFailures(address, account)
    return { result }
  } catch (error) {
    await giveBackTry(address, account)
    throw error
  }
}

async function countTry(address: string, account: string): Promise<Allowance> {
  const [ofAddress, ofAccount] = await Promise.all([
    consume(byAddress(), address),
    consume(byAccount(), accountKey(address, account)),
  ])
  const allowed = ofAddress.allowed && ofAccount.allowed
  const tightest = ofAddress.remaining < ofAccount.remaining ? ofAddress : ofAccount
  const refused = ofAddress.allowed ? ofAccount : ofAddress
  return allowed ? tightest : refused
}

/** For a try that never came to a result. */
async function giveBackTry(address: string, account: string): Promise<void> {
  await Promise.all([byAddress().reward(address), byAccount().reward(accountKey(address, account))])
}

async function forgetFailures(address: string, account: string): Promise<void> {
  await Promise.all([byAddress().reward(address), byAccount().delete(accountKey(address, account))])
}
