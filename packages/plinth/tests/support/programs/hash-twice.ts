import { hashPassword, verifyPassword } from '#auth/passwords/hash'

const password = 'a few words in a row'

/** Ends by itself once the hashes are done, the second of them in a thread that was idle. */
hashPassword(password).then(async (hashed) =>
  process.stdout.write(`${await verifyPassword(hashed, password)}\n`),
)
