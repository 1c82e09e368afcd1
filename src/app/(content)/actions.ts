'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { action } from '@/core/guard/action'
import { isActionError } from '@/core/ui/action-result'
import {
  createArticle as create,
  deleteArticle as remove,
  saveArticle as save,
  setPublished,
} from './data'
import { articleId, bodyField, titleField, versionField } from './fields'
import { mayDelete, mayWrite } from './policy'

const rateLimit = { times: 120, seconds: 60 }

export const createArticle = action(
  {
    name: 'create_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ title: titleField, body: bodyField }),
    keeps: ['title', 'body'],
  },
  async ({ input, scope }) => {
    const created = await create(scope, input)
    if (isActionError(created)) return created
    redirect(`/articles/${created.id}?done=created`)
  },
)

export const saveArticle = action(
  {
    name: 'save_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId, version: versionField, title: titleField, body: bodyField }),
    keeps: ['title', 'body'],
  },
  async ({ input, scope }) => {
    const saved = await save(scope, input)
    if (isActionError(saved)) return saved
    redirect(`/articles/${input.id}?done=saved`)
  },
)

export const publishArticle = action(
  {
    name: 'publish_article',
    authorize: mayWrite,
    rateLimit,
    input: z.object({ id: articleId, published: z.enum(['yes', 'no']) }),
  },
  async ({ input: { id, published }, scope }) => {
    const result = await setPublished(scope, id, published === 'yes')
    if (isActionError(result)) return result
    redirect(`/articles/${id}?done=${result.published ? 'published' : 'unpublished'}`)
  },
)

export const deleteArticle = action(
  {
    name: 'delete_article',
    authorize: mayDelete,
    rateLimit,
    input: z.object({ id: articleId }),
  },
  async ({ input: { id }, scope }) => {
    const result = await remove(scope, id)
    if (isActionError(result)) return result
    redirect('/articles?done=deleted')
  },
)
