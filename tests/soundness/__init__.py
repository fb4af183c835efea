"""Is what strict checking calls clean really so? Generated workflows, run with whatever their contracts allow."""
