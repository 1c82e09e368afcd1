import type { Module } from 'plinth/modules/module'
import { api } from './api'

export const module: Module = {
  id: 'landing',
  api,
}
