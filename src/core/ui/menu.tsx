'use client'

import { Menu as Base } from '@base-ui/react/menu'
import clsx from 'clsx'
import type { ReactElement, ReactNode } from 'react'
import { popupItemStyle, popupStyle } from './popup-style'

interface MenuProps {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
}

export function Menu({ trigger, children, align = 'start' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-40 outline-none">
          <Base.Popup className={clsx(popupStyle, 'min-w-48')}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  children: ReactNode
  onSelect: () => void
  disabled?: boolean
  danger?: boolean
}

export function MenuItem({ children, onSelect, disabled = false, danger }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={disabled}
      className={clsx(popupItemStyle, danger && 'text-danger')}
    >
      {children}
    </Base.Item>
  )
}

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Base.LinkItem href={href} className={popupItemStyle}>
      {children}
    </Base.LinkItem>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />
}
