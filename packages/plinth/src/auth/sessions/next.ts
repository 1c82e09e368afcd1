import '#auth/sessions/next-environment'

/** Node finds these files of Next only by their extension. */
export { refresh } from 'next/cache.js'
export { cookies, headers } from 'next/headers.js'
export { forbidden, notFound, redirect, unstable_rethrow } from 'next/navigation.js'
