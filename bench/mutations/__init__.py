"""Single faults of the kinds that planners make, put into valid workflows: are they found, and are they healed?"""
