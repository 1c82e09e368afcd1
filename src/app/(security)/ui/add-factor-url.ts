import { urlWith } from 'plinth/universal/url'

/** Leads to the page once the change is proven, at once if it is already. */
export function addFactorUrl(page: string): string {
  return urlWith('/confirm', { change: 'add_factor', callbackUrl: page })
}
