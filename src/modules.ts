import type { Module } from '@/core/module'

export const modules: readonly Module[] = []
