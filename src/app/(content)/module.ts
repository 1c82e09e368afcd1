import type { Module } from '@/core/module'
import { ownArticles } from './data'
import { mayRead } from './policy'

export const module: Module = {
  id: 'content',
  navigation: [{ href: '/articles', label: 'Articles', who: mayRead }],
  personalData: ownArticles,
}
