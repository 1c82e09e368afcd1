import type { Module } from '@/core/module'
import { ownArticles } from './data'
import { mayRead } from './policy'

export const module: Module = {
  id: 'content',
  title: 'Articles',
  description: 'Articles in Markdown: viewers read them, editors write them, admins delete them.',
  navigation: [{ href: '/articles', label: 'Articles', who: mayRead }],
  personalData: ownArticles,
}
