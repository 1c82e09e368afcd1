import type { Module } from '@/core/module'
import { api } from './api'

export const module: Module = {
  id: 'account',
  title: 'Account',
  description:
    'What is one’s own: name, password, sessions, ways to sign in, data, and the way out.',
  personMenu: [{ href: '/account', label: 'Account' }],
  api,
}
