import type { Method } from '../data/factors/factors'

export const codeFields = {
  totp: {
    label: 'Code from your authenticator app',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    description: 'Six digits. A new code appears every 30 seconds.',
  },
  recovery_code: {
    label: 'Recovery code',
    autoComplete: 'off',
    description: '24 letters and digits, or 16 in older codes. Each code works once.',
  },
} as const

export const methodLabels: Record<Method, string> = {
  totp: 'Use your authenticator app',
  passkey: 'Use a passkey',
  recovery_code: 'Use a recovery code',
}
