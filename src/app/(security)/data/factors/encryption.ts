import 'server-only'
import { encryptionFor } from '@/core/config/encryption'

export const { currentKeyId, previousKeyIds, keyIdOf, encrypt, decrypt } =
  encryptionFor('authenticator-app')
