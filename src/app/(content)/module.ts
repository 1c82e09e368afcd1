import type { Module } from '@/core/module'
import { exportArticles } from './data'
import { mayRead } from './policy'

export const module: Module = {
  id: 'content',
  navigation: [{ href: '/articles', label: 'Articles', authorize: mayRead }],
  personalData: exportArticles,
}
