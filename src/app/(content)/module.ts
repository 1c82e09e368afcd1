import type { Module } from 'plinth/modules/module'
import { exportArticles } from './data'
import { findTitles, latestArticles, ownDrafts } from './data/home'
import { mayRead, mayWrite } from './policy'

export const module: Module = {
  id: 'content',
  navigation: [{ href: '/articles', label: 'Articles', authorize: mayRead }],
  pages: [{ href: '/articles/new', label: 'Write an article', authorize: mayWrite }],
  homeCards: [
    { title: 'Your drafts', href: '/articles', authorize: mayWrite, load: ownDrafts },
    { title: 'Latest articles', href: '/articles', authorize: mayRead, load: latestArticles },
  ],
  search: { title: 'Articles', authorize: mayRead, find: findTitles },
  personalData: exportArticles,
}
