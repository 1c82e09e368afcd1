import { renderSVG } from 'uqr'
import { config } from '@/plinth.config'
import { keyUri, spaced, toBase32 } from '../data/factors/totp'

interface AppSetupProps {
  secret: Buffer
  email: string
}

/** The secret as a QR code, and as text for an app on the same device. */
export function AppSetup({ secret, email }: AppSetupProps) {
  const uri = keyUri(secret, { issuer: config.name, account: email })
  const image = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 4 })).toString('base64')}`
  return (
    <div className="grid gap-4">
      <ol className="list-decimal space-y-1 pl-5 text-muted">
        <li>Open an authenticator app on your phone.</li>
        <li>Scan the QR code, or type the key.</li>
        <li>Enter the code that the app shows.</li>
      </ol>
      {/* biome-ignore lint/performance/noImgElement: it is a data URL, which Next cannot optimize. */}
      <img
        src={image}
        alt="QR code for your authenticator app"
        width={208}
        height={208}
        className="rounded-md border border-line bg-white"
      />
      <p className="text-sm text-muted">
        Key: <code className="font-mono break-words text-ink">{spaced(toBase32(secret))}</code>
      </p>
      <p className="text-sm">
        <a href={uri} className="underline">
          Open in an app on this device
        </a>
      </p>
    </div>
  )
}
