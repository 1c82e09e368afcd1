import { config } from '@/plinth.config'

export function Brand() {
  return (
    <a href="/" className="brand">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M1 1h18v4H1zM4 7h12v8H4zM1 17h18v2H1z" />
      </svg>
      <span>{config.name}</span>
    </a>
  )
}
