import type { Module } from '@/core/module'
import { api } from './api'
import { mayAdminister } from './policy'

export const module: Module = {
  id: 'admin',
  title: 'Administration',
  description: 'People and their roles, sessions and invitations, and the audit trail, for admins.',
  navigation: [{ href: '/admin', label: 'Admin', who: mayAdminister }],
  api,
}
