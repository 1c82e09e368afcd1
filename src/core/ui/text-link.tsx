import clsx from 'clsx'
import type { ComponentProps } from 'react'

export function TextLink({ className, ...rest }: ComponentProps<'a'> & { href: string }) {
  return <a {...rest} className={clsx('link', className)} />
}
