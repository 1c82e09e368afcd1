import type { Module } from '@/core/module'
import { api } from './api'

export const module: Module = {
  id: 'account',
  userMenu: [{ href: '/account', label: 'Account' }],
  api,
}
