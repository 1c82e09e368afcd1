import type { Module } from '@/core/module'
import { api } from './api'

export const module: Module = {
  id: 'landing',
  api,
}
