'use client'

// Both from here: Next loads this file with every page anyway, and another would be loaded beside it.
export { FailurePage as default, MessagePage } from '@/core/ui/message-page'
