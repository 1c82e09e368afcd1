import type { ComponentProps } from 'react'

interface ButtonStyle {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  size?: 'small' | 'medium' | undefined
  className?: string | undefined
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'>, ButtonStyle {
  pending?: boolean | undefined
}

interface ButtonLinkProps extends Omit<ComponentProps<'a'>, 'className'>, ButtonStyle {
  href: string
}

/**
 * While pending it keeps its width, name and focus. It is inert but not disabled: a disabled button
 * loses the focus.
 */
export function Button(props: ButtonProps) {
  const { variant, size, pending = false, type = 'button', className, ...rest } = props
  const inert = { 'aria-disabled': true, 'aria-busy': true, onClick: undefined }
  return (
    <button
      {...rest}
      {...(pending && inert)}
      type={pending ? 'button' : type}
      className={buttonClass({ variant, size, className })}
    />
  )
}

export function ButtonLink({ variant, size, className, ...rest }: ButtonLinkProps) {
  return <a {...rest} className={buttonClass({ variant, size, className })} />
}

function buttonClass({ variant = 'primary', size, className }: ButtonStyle) {
  return classNames(
    'button',
    variant !== 'primary' && `button-${variant}`,
    size === 'small' && 'button-small',
    className,
  )
}

/** Joins the names that apply. */
export function classNames(...names: (string | false | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
