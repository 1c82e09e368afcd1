import { ButtonLink } from '@/ui/button'
import { Notice } from '@/ui/text'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Where to go once they are saved. */
  continueTo: string
}

/** Shown once. The download needs no script and no second request. */
export function RecoveryCodes({ codes, continueTo }: RecoveryCodesProps) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join('\n')}\n`)}`
  return (
    <div className="grid gap-5">
      <Notice tone="positive">Save these recovery codes now. They are not shown again.</Notice>
      <p className="text-muted">
        Each code signs you in once if you lose your phone or your passkeys. Keep them in a password
        manager or on paper.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-y-2 rounded-md border border-line bg-sunken p-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code} className="break-words">
            {code}
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-3">
        <ButtonLink href={file} download="recovery-codes.txt" variant="secondary">
          Download codes
        </ButtonLink>
        <ButtonLink href={continueTo}>I have saved them</ButtonLink>
      </p>
    </div>
  )
}
