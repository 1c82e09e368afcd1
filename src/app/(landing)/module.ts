import type { Module } from '@/core/module'
import { api } from './api'

export const module: Module = {
  id: 'landing',
  title: 'Landing page',
  description: 'The page at `/`, the same for everybody, and what it says as JSON.',
  api,
}
