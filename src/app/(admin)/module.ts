import type { Module } from '@/core/module'
import { api } from './api'
import { mayAdminister } from './policy'

export const module: Module = {
  id: 'admin',
  navigation: [{ href: '/admin', label: 'Admin', authorize: mayAdminister }],
  api,
}
