import { productName } from '@/core/config/product-name'

export function Brand() {
  return (
    <span className="inline-flex min-w-0 items-center gap-2.5 font-semibold tracking-tight">
      <svg viewBox="0 0 20 20" className="size-5 shrink-0 text-accent" aria-hidden="true">
        <path fill="currentColor" d="M1 1h18v4H1zM4 7h12v8H4zM1 17h18v2H1z" />
      </svg>
      <span className="truncate">{productName}</span>
    </span>
  )
}
