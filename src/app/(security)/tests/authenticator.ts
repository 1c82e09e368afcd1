import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Ceremony = {
  challenge: string
  origin?: string
  /** The RP id that the authenticator signs for. */
  rpId?: string
  userVerified?: boolean
}

/** An authenticator in software, with one passkey: ES256, and CBOR written by hand. */
export function newAuthenticator(userId: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(32)
  const id = rawId.toString('base64url')
  let counter = 0

  return { id, register, signIn }

  /** The response to a registration. */
  function register(given: Ceremony) {
    const length = Buffer.from([0, rawId.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, rawId, coseKey(x, y)])
    const data = authenticatorData(given, { counter, credential })
    const fields = [
      text('fmt'),
      text('none'),
      text('attStmt'),
      map(),
      text('authData'),
      bytes(data),
    ]
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: clientData('webauthn.create', given).toString('base64url'),
        attestationObject: map(...fields).toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** The response to a sign-in. Each has a higher counter than the one before. */
  function signIn(given: Ceremony) {
    counter += 1
    const client = clientData('webauthn.get', given)
    const data = authenticatorData(given, { counter })
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey).toString('base64url'),
        userHandle: Buffer.from(userId).toString('base64url'),
      },
    }
  }
}

function clientData(type: string, { challenge, origin = 'http://localhost:3000' }: Ceremony) {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

const userPresent = 0x01
const verified = 0x04
const hasCredential = 0x40

function authenticatorData(
  { rpId = 'localhost', userVerified = true }: Ceremony,
  { counter, credential }: { counter: number; credential?: Buffer },
): Buffer {
  const flags =
    userPresent | (userVerified ? verified : 0) | (credential === undefined ? 0 : hasCredential)
  const head = Buffer.alloc(5)
  head.writeUInt8(flags)
  head.writeUInt32BE(counter, 1)
  const rpIdHash = createHash('sha256').update(rpId).digest()
  return Buffer.concat([rpIdHash, head, credential ?? Buffer.alloc(0)])
}

/** RFC 9052: kty EC2, alg ES256, crv P-256 and the point. */
function coseKey(x: string, y: string): Buffer {
  const point = (part: string) => bytes(Buffer.from(part, 'base64url'))
  const [kty, alg, crv, xLabel, yLabel] = [0x01, 0x03, 0x20, 0x21, 0x22].map((byte) =>
    Buffer.from([byte]),
  ) as [Buffer, Buffer, Buffer, Buffer, Buffer]
  const [ec2, es256, p256] = [0x02, 0x26, 0x01].map((byte) => Buffer.from([byte])) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  return map(kty, ec2, alg, es256, crv, p256, xLabel, point(x), yLabel, point(y))
}

/** CBOR: keys and values in turn. */
function map(...fields: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 | (fields.length / 2)]), ...fields])
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])
}

function bytes(value: Buffer): Buffer {
  const head = Buffer.from(value.length < 256 ? [0x58, value.length] : [0x59, 0, 0])
  if (value.length >= 256) head.writeUInt16BE(value.length, 1)
  return Buffer.concat([head, value])
}
