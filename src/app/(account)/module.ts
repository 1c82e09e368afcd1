import type { Module } from 'plinth/modules/module'
import { api } from './api'
import { accountCard } from './data/home-card'
import { mayUseAccount } from './policy'
import { sections } from './sections'

export const module: Module = {
  id: 'account',
  userMenu: [{ href: '/account', label: 'Account' }],
  pages: sections.map(({ href, label }) => ({ href, label, authorize: mayUseAccount })),
  accountSections: sections,
  homeCards: [
    { title: 'Your account', href: '/account', authorize: mayUseAccount, load: accountCard },
  ],
  api,
}
