import type { Module } from '@/core/modules/module'
import { api } from './api'

export const module: Module = {
  id: 'landing',
  api,
}
