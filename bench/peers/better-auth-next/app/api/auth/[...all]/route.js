import { toNextJsHandler } from 'better-auth/next-js'
import { auth } from '../../../../auth.mjs'

export const { GET, POST } = toNextJsHandler(auth)
