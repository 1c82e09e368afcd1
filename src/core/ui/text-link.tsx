import type { ComponentProps } from 'react'
import { classNames } from '@/core/ui/class-names'

export function TextLink({ className, ...rest }: ComponentProps<'a'> & { href: string }) {
  return <a {...rest} className={classNames('link', className)} />
}
