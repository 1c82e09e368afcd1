import clsx from 'clsx'
import type { ComponentProps } from 'react'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'
type Size = 'small' | 'medium'

interface ButtonStyle {
  variant?: Variant | undefined
  size?: Size | undefined
}

interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  pending?: boolean | undefined
}

interface ButtonLinkProps extends ComponentProps<'a'>, ButtonStyle {
  href: string
}

/**
 * While pending it keeps its width, name and focus. It is inert but not disabled: a disabled button
 * loses the focus.
 */
export function Button({
  variant,
  size,
  pending = false,
  type = 'button',
  className,
  children,
  ...rest
}: ButtonProps) {
  const inert = { 'aria-disabled': true, 'aria-busy': true, onClick: undefined }
  return (
    <button
      {...rest}
      {...(pending && inert)}
      type={pending ? 'button' : type}
      className={clsx(buttonStyle({ variant, size }), className)}
    >
      <span className={clsx('inline-flex items-center gap-2', pending && 'opacity-0')}>
        {children}
      </span>
      {pending && (
        <span className="absolute size-4 animate-spin rounded-full border-2 border-current border-r-transparent" />
      )}
    </button>
  )
}

export function ButtonLink({ variant, size, className, ...rest }: ButtonLinkProps) {
  return <a {...rest} className={clsx(buttonStyle({ variant, size }), className)} />
}

function buttonStyle({ variant = 'primary', size = 'medium' }: ButtonStyle) {
  return clsx(
    'relative inline-flex shrink-0 select-none items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap transition-colors duration-100',
    'not-disabled:cursor-pointer disabled:cursor-not-allowed disabled:opacity-50 aria-busy:cursor-progress',
    sizes[size],
    variants[variant],
  )
}

const sizes: Record<Size, string> = {
  small: 'h-9 px-3 text-xs',
  medium: 'h-11 px-4 text-sm sm:h-10',
}

const variants: Record<Variant, string> = {
  primary:
    'border-transparent bg-accent text-on-accent shadow-raised not-disabled:hover:bg-accent-strong',
  secondary: 'border-edge bg-surface text-ink shadow-raised not-disabled:hover:bg-sunken',
  quiet: 'border-transparent bg-transparent text-ink not-disabled:hover:bg-sunken',
  danger:
    'border-transparent bg-danger-fill text-on-danger shadow-raised not-disabled:hover:bg-danger-fill-strong',
}
