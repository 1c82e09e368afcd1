import clsx from 'clsx'
import type { ComponentProps } from 'react'

export function TextLink({ className, ...rest }: ComponentProps<'a'> & { href: string }) {
  return (
    <a
      {...rest}
      className={clsx(
        'font-medium text-accent underline decoration-1 underline-offset-4 hover:text-accent-strong',
        className,
      )}
    />
  )
}
