import { hashPassword } from '@/core/auth/passwords/hash'

/** Ends by itself once the hash is done. */
hashPassword('a few words in a row').then((hashed) => process.stdout.write(`${hashed}\n`))
