import 'server-only'
import { encryptionFor } from 'plinth/config/encryption'

export const { currentKeyId, previousKeyIds, keyIdOf, encrypt, decrypt } =
  encryptionFor('authenticator-app')
