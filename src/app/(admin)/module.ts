import type { Module } from 'plinth/modules/module'
import { api } from './api'
import { homeCards, search } from './home'
import { mayAdminister } from './policy'

export const module: Module = {
  id: 'admin',
  navigation: [{ href: '/admin', label: 'Admin', authorize: mayAdminister }],
  pages: [
    { href: '/admin/users', label: 'Users', authorize: mayAdminister },
    { href: '/admin/audit', label: 'Audit log', authorize: mayAdminister },
    { href: '/admin/jobs', label: 'Jobs', authorize: mayAdminister },
  ],
  homeCards,
  search,
  api,
}
