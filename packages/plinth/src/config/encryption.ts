import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { authSecrets } from '#config/env'

/** AES-256-GCM, with a key from AUTH_SECRET: a copy of the database alone reveals no secret. */
const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

type Key = { id: string; key: Buffer }

export type Encrypted = { secret: Buffer; keyId: string }

/** For values of one kind, which have a key of their own. */
export function encryptionFor(purpose: string) {
  const keyFrom = (secret: string): Key => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', `plinth.${purpose}`, 32))
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 16)
    return { id, key }
  }

  /** Newest first. */
  const keys = () => authSecrets().map(keyFrom)

  function newestKey(): Key {
    const [newest] = keys()
    if (!newest) throw new Error('There is no AUTH_SECRET.')
    return newest
  }

  return {
    currentKeyId: () => newestKey().id,

    /** The ids of the keys of AUTH_SECRET_PREVIOUS. */
    previousKeyIds: () =>
      keys()
        .slice(1)
        .map(({ id }) => id),

    /** Says nothing about the secret. */
    keyIdOf: (secret: string) => keyFrom(secret).id,

    /** Bound to its owner: the secret of another row cannot be decrypted as theirs. */
    encrypt(plain: Buffer, owner: string): Encrypted {
      const { id, key } = newestKey()
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return { secret: Buffer.concat([iv, cipher.getAuthTag(), text]), keyId: id }
    },

    /** Undefined if neither AUTH_SECRET nor AUTH_SECRET_PREVIOUS fits, or the owner is another one. */
    decrypt({ secret, keyId }: Encrypted, owner: string): Buffer | undefined {
      const found = keys().find(({ id }) => id === keyId)
      if (!found) return undefined
      const decipher = createDecipheriv(algorithm, found.key, secret.subarray(0, ivBytes))
      decipher.setAAD(Buffer.from(owner))
      decipher.setAuthTag(secret.subarray(ivBytes, ivBytes + tagBytes))
      const plain = decipher.update(secret.subarray(ivBytes + tagBytes))
      try {
        return Buffer.concat([plain, decipher.final()])
      } catch {
        // The tag does not match: it was changed, or belongs to another owner.
        return undefined
      }
    },
  }
}
